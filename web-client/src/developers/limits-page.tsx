import { Page } from '../app/page.tsx';

export function LimitsPage() {
  return <Page title="Limits">{null}</Page>;
}
