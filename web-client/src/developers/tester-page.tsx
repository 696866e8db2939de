import { Page } from '../app/page.tsx';

export function TesterPage() {
  return <Page title="Tester">{null}</Page>;
}
