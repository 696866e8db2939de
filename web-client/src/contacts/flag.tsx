import { countryName } from './countries.ts';

/** Pictures, because not every system has the signs of flags in its fonts. Each is fetched when it is seen. */
const pictures = import.meta.glob<string>('../../../node_modules/country-flag-icons/3x2/*.svg', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** A country by its flag and its code; its name on hover. */
export function Country({ code }: { code: string }) {
  const picture = pictures[`../../../node_modules/country-flag-icons/3x2/${code.toUpperCase()}.svg`];
  return (
    <span className="country" title={countryName(code)}>
      {picture !== undefined && <img src={picture} alt="" width={18} height={12} loading="lazy" />}
      {code.toUpperCase()}
    </span>
  );
}
