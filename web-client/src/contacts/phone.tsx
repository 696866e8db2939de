import { useEffect, useState } from 'react';
import { phoneRules } from './phone-rules.ts';

type Format = (phone: string) => string;

let format: Format | undefined;
let loading: Promise<Format> | undefined;

async function load(): Promise<Format> {
  const { parsePhoneNumberFromString } = await phoneRules();
  format = (phone) => parsePhoneNumberFromString(phone)?.formatInternational() ?? phone;
  return format;
}

/** A number with the blanks that its country uses, as soon as the rules for it are here; E.164 on hover. */
export function Phone({ number }: { number: string }) {
  const [known, setKnown] = useState<Format | undefined>(() => format);
  useEffect(() => {
    if (known) return;
    loading ??= load();
    loading.then(
      (loaded) => setKnown(() => loaded),
      () => (loading = undefined),
    );
  }, [known]);
  return (
    <bdi dir="ltr" className="contact-phone" title={number}>
      {known ? known(number) : number}
    </bdi>
  );
}
