import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerEnvelope } from 'smtp-server';

/** A mail as the sink took it. */
export interface Taken {
  from: string;
  to: string[];
  raw: string;
  mail: ParsedMail;
}

export const smtpUser = 'shop@example.com';
export const smtpPassword = 'smtp-password-of-the-tests';

type Step = 'from' | 'to' | 'data';
/** `hang`: all of it is taken and never answered. */
type Answer = { status: number; text: string } | 'hang' | null;

/** A real SMTP server on the loopback interface that keeps what it is given. */
export class SmtpStandIn {
  readonly taken: Taken[] = [];
  /** How often somebody got as far as each step. */
  readonly steps: Step[] = [];
  /** Takes the place of the usual answer, which is to take everything. */
  answer: (step: Step) => Answer = () => null;
  password = smtpPassword;
  readonly #server: SMTPServer;

  private constructor() {
    this.#server = new SMTPServer({
      logger: false,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      authMethods: ['PLAIN', 'LOGIN'],
      closeTimeout: 100,
      size: 20 * 1024 * 1024,
      onAuth: ({ username, password }, _session, done) => {
        if (username === smtpUser && password === this.password) done(null, { user: username });
        else done(new Error('5.7.8 Authentication credentials invalid'));
      },
      onMailFrom: (_address, _session, done) => done(this.#refusal('from')),
      onRcptTo: (_address, _session, done) => done(this.#refusal('to')),
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const raw = Buffer.concat(chunks);
          this.steps.push('data');
          const answer = this.answer('data');
          if (answer === 'hang') return;
          if (answer) return done(refusal(answer));
          this.#keep(raw, envelope).then(() => done(null), done);
        });
      },
    });
    this.#server.on('error', () => undefined);
  }

  static async start(): Promise<SmtpStandIn> {
    const standIn = new SmtpStandIn();
    await new Promise<void>((resolve) => {
      standIn.#server.listen(0, '127.0.0.1', () => resolve());
    });
    return standIn;
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port;
  }

  /** Cuts everybody off. */
  cut(): void {
    for (const connection of this.#server.connections) connection.close();
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #keep(raw: Buffer, { mailFrom, rcptTo }: SMTPServerEnvelope): Promise<void> {
    const from = mailFrom === false ? '' : mailFrom.address;
    const to = rcptTo.map(({ address }) => address);
    this.taken.push({ from, to, raw: raw.toString(), mail: await simpleParser(raw) });
  }

  #refusal(step: Step): Error | null {
    this.steps.push(step);
    const answer = this.answer(step);
    return answer && answer !== 'hang' ? refusal(answer) : null;
  }
}

function refusal({ status, text }: { status: number; text: string }): Error {
  return Object.assign(new Error(text), { responseCode: status });
}
