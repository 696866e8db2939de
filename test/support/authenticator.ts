import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';

interface Options {
  challenge: string;
}

interface Sayings {
  /** The page that asks, as the browser names it. */
  origin: string;
  /** The host that the page says the key is for. */
  host?: string;
  challenge: string;
  /** Whether it made sure of the person. */
  verified?: boolean;
  counter?: number;
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer | string) => Buffer.from(data).toString('base64url');

/** A key of one person, which signs what it is given: what a phone does after it has seen a finger. */
export class Authenticator {
  readonly #key: KeyObject;
  readonly #public: { x: Buffer; y: Buffer };
  readonly id = base64url(randomBytes(16));
  #userHandle = '';
  #counter = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#key = privateKey;
    this.#public = { x: Buffer.from(x, 'base64url'), y: Buffer.from(y, 'base64url') };
  }

  /** The answer of `navigator.credentials.create`. */
  register(options: Options & { user: { id: string } }, saying: Omit<Sayings, 'challenge'>) {
    this.#userHandle = options.user.id;
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.from([0, id.length]);
    const coseKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      this.#public.x,
      Buffer.from('225820', 'hex'),
      this.#public.y,
    ]);
    const data = this.#data({ ...saying, challenge: options.challenge }, 0x40);
    const authData = Buffer.concat([data, Buffer.alloc(16), length, id, coseKey]);
    const attestation = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.from([0x58, authData.length]),
      authData,
    ]);
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', saying.origin, options.challenge),
      attestationObject: base64url(attestation),
      transports: ['internal'],
    });
  }

  /** The answer of `navigator.credentials.get`. */
  sign({ challenge }: Options, saying: Omit<Sayings, 'challenge'>) {
    const clientDataJSON = this.#clientData('webauthn.get', saying.origin, challenge);
    const data = this.#data({ ...saying, challenge }, 0);
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    return this.#answer({
      clientDataJSON,
      authenticatorData: base64url(data),
      signature: base64url(createSign('sha256').update(signed).sign(this.#key)),
      userHandle: this.#userHandle,
    });
  }

  #answer<T>(response: T) {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, origin: string, challenge: string): string {
    return base64url(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #data(
    { origin, host = new URL(origin).hostname, verified = true, counter }: Sayings,
    flags: number,
  ): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? ++this.#counter);
    return Buffer.concat([sha256(host), Buffer.from([flags | 1 | (verified ? 4 : 0)]), count]);
  }
}
