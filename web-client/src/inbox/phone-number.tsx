import { useQuery } from '@tanstack/react-query';

/** A number as its country writes it; as it is stored until the rules are loaded. */
export function PhoneNumber({ value }: { value: string }) {
  const { data: parse } = useQuery({
    queryKey: ['phone-rules'],
    queryFn: async () => (await import('libphonenumber-js/min')).parsePhoneNumberFromString,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return (
    <bdi dir="ltr" title={value}>
      {parse?.(value)?.formatInternational() ?? value}
    </bdi>
  );
}
