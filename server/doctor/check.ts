/** One thing that must hold. The query finds what breaks it, and so finds nothing. */
export interface Check {
  /** Stable, in kebab case. */
  name: string;
  /** What holds, in one sentence. */
  holds: string;
  /** Yields `company_id`, `id` of the record and `detail`, what is wrong with it. */
  sql: string;
}
