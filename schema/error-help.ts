import type { DetailCode, ErrorCode } from './errors.ts';

/** What a program can do about each error. Plain text. */
export const errorHelp: Record<ErrorCode, string> = {
  bad_request:
    'The body is no valid JSON, a path is malformed, or the request can’t be read in another way. Sending it again does not help: change it.',
  validation_failed:
    'At least one field is wrong. `param` names the first, `details` all of them, each with a code of its own. Correct them and send the request again.',
  unauthenticated:
    'There is no key, or it is wrong, revoked or expired. Send `Authorization: Bearer svc_…|…`, and quote the key in shells: it has a vertical bar in it.',
  forbidden:
    'The key is valid and lacks the scope that the message names, or the operation is for the dashboard alone. The Owner makes keys with other scopes.',
  not_found: 'There is no such record or endpoint, or it belongs to another company: the two look the same.',
  method_not_allowed: 'The path exists with other methods; the header `Allow` names them.',
  not_acceptable: 'The header `Accept` excludes JSON. Leave it out, or send `application/json`.',
  conflict:
    'The record is in a state that does not allow the step, or somebody changed it meanwhile. Read it again, and follow its `allowed_actions` or `allowed_transitions`.',
  idempotency_conflict:
    'The Idempotency-Key was used with other content, or its first request is still running. Take a new key for a new request; wait a second for one that is running.',
  payload_too_large: 'The body is larger than the endpoint takes. See the limits.',
  rate_limited:
    'The budget of the minute is used up. Wait as many seconds as `Retry-After` says; `X-RateLimit-Remaining` tells what is left before it comes to that.',
  server_error:
    'It is our fault. The request id leads to its cause in the log. Trying again with the same Idempotency-Key is safe.',
};

/** What each code of `details` means. */
export const detailHelp: Record<DetailCode, string> = {
  required: 'The field is missing or empty.',
  type: 'The value has the wrong type.',
  format: 'The value does not have the form that is asked for.',
  min: 'The value is too small, too short or too early.',
  max: 'The value is too large, too long or too late.',
  enum: 'The value is none of the words that are allowed.',
  unknown_id: 'No record of this company has that id.',
  duplicate: 'Another record has that value; `existing` names it.',
  not_allowed: 'The value is not allowed here, or to you.',
  insufficient_stock: 'There are fewer pieces in stock.',
  window_closed: 'The customer wrote too long ago: the channel takes templates only.',
  contact_blocked: 'The contact is blocked.',
  contact_unsubscribed: 'The contact takes no campaigns.',
  channel_unavailable: 'The channel is switched off, or can’t do that.',
  media_unsupported: 'The channel does not take such a file.',
};
