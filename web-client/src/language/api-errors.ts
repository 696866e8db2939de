import { t } from '@lingui/core/macro';
import type { DetailCode, ErrorCode } from '../../../schema/errors.ts';
import { currentLanguage } from './language.ts';

/** What each code says, where the server's own words, which are English, would not be understood. */
const refusals: Readonly<Record<ErrorCode, string>> = {
  get bad_request() {
    return t`The request could not be read.`;
  },
  get validation_failed() {
    return t`Something in the form is not right.`;
  },
  get unauthenticated() {
    return t`Sign in to go on.`;
  },
  get forbidden() {
    return t`Your role does not allow that.`;
  },
  get not_found() {
    return t`It does not exist, or no longer.`;
  },
  get method_not_allowed() {
    return t`That is not possible here.`;
  },
  get not_acceptable() {
    return t`The server can’t answer in that form.`;
  },
  get conflict() {
    return t`The state of the record does not allow that. It may have changed meanwhile.`;
  },
  get idempotency_conflict() {
    return t`The same request is still running.`;
  },
  get payload_too_large() {
    return t`That is too large to be sent.`;
  },
  get rate_limited() {
    return t`Too many attempts. Wait a moment.`;
  },
  get server_error() {
    return t`Something went wrong on our side.`;
  },
};

const faults: Readonly<Record<DetailCode, string>> = {
  get required() {
    return t`This is needed.`;
  },
  get type() {
    return t`This is not of the right kind.`;
  },
  get format() {
    return t`This is not written as it should be.`;
  },
  get min() {
    return t`This is too small or too short.`;
  },
  get max() {
    return t`This is too large or too long.`;
  },
  get enum() {
    return t`This is not one of the choices.`;
  },
  get unknown_id() {
    return t`There is no such record.`;
  },
  get duplicate() {
    return t`Another record has this already.`;
  },
  get not_allowed() {
    return t`This is not allowed here.`;
  },
  get insufficient_stock() {
    return t`There is not enough in stock.`;
  },
  get window_closed() {
    return t`The reply window is closed: only a template can be sent.`;
  },
  get contact_blocked() {
    return t`The contact is blocked.`;
  },
  get contact_unsubscribed() {
    return t`The contact does not want marketing messages.`;
  },
  get channel_unavailable() {
    return t`The channel is not available.`;
  },
  get media_unsupported() {
    return t`The channel does not take such a file.`;
  },
};

/** What the server refused, in the language that is on. Codes that are not known keep the server's words. */
export function refusalText(code: string, message: string): string {
  const scope = code === 'forbidden' ? /^This needs the scope (.+)\.$/.exec(message)?.[1] : undefined;
  if (scope !== undefined) return t`This needs the scope ${scope}.`;
  return currentLanguage() === 'en' ? message : (textOf(refusals, code) ?? message);
}

/** What is wrong with one field, in the language that is on. */
export function faultText(code: string, message: string): string {
  return currentLanguage() === 'en' ? message : (textOf(faults, code) ?? message);
}

function textOf(texts: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(texts, code) ? texts[code] : undefined;
}
