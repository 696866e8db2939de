import { t } from '@lingui/core/macro';

export const encryption = [
  {
    value: '',
    get label() {
      return t`As the port says`;
    },
  },
  {
    value: 'tls',
    get label() {
      return t`TLS`;
    },
  },
  {
    value: 'starttls',
    get label() {
      return t`STARTTLS`;
    },
  },
  {
    value: 'none',
    get label() {
      return t`None`;
    },
  },
];
export const asked = [
  {
    value: 'off',
    get label() {
      return t`No`;
    },
  },
  {
    value: 'optional',
    get label() {
      return t`May be left out`;
    },
  },
  {
    value: 'required',
    get label() {
      return t`Yes`;
    },
  },
];

/** What a provider asks for. Credentials are kept encrypted and never shown again. */
