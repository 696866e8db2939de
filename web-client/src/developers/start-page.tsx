import { Page } from '../app/page.tsx';

export function StartPage() {
  return <Page title="Start">{null}</Page>;
}
