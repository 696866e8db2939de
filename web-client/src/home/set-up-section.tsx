import { Trans, useLingui } from '@lingui/react/macro';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { Section } from '../app/page.tsx';
import { trpc } from '../app/trpc.ts';

interface Step {
  to: string;
  title: string;
  why: string;
  /** Undefined while nobody knows: then it is not asked for either. */
  done: boolean | undefined;
}

/** Steps that a new company has not taken yet; nothing once all are. */
export function SetUpSection() {
  const { t } = useLingui();
  const [channels, agents, company, replies] = useQueries({
    queries: [
      trpc.channels.list.queryOptions({}),
      trpc.agents.list.queryOptions({}),
      trpc.company.show.queryOptions({}),
      trpc.quickReplies.list.queryOptions({}),
    ],
  });
  const steps: Step[] = [
    {
      to: '/settings/channels',
      title: t`Connect a channel`,
      why: t`Customers reach you by it: a chat on your pages, e-mail, WhatsApp.`,
      done: channels.data && channels.data.data.some(({ kind }) => kind !== 'simulator'),
    },
    {
      to: '/settings/team',
      title: t`Invite your team`,
      why: t`Conversations can be shared once somebody else is there.`,
      done: agents.data && agents.data.data.length > 1,
    },
    {
      to: '/settings/company',
      title: t`Say when you are open`,
      why: t`The calendar, assignment and the away message go by it.`,
      done: company.data && company.data.data.business_hours !== null,
    },
    {
      to: '/quick-replies',
      title: t`Write a quick reply`,
      why: t`What you answer often is then one word away.`,
      done: replies.data && replies.data.data.length > 0,
    },
  ];
  const left = steps.filter(({ done }) => done === false);
  if (left.length === 0) return null;
  return (
    <Section
      title={t`To set up`}
      description={
        <Trans>
          Done: {steps.length - left.length} of {steps.length}.
        </Trans>
      }
    >
      <ul className="home-steps">
        {left.map(({ to, title, why }) => (
          <li key={to}>
            <Link to={to}>
              <span>
                <span className="home-name">{title}</span>
                <span className="home-why">{why}</span>
              </span>
              <ArrowRight size={18} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
