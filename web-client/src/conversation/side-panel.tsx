import { Trans, useLingui } from '@lingui/react/macro';
import { CloseButton, Title } from '@mantine/core';
import { useCan } from '../account/use-profile.ts';
import { AiPanel } from './ai-panel.tsx';
import { AssignmentPanel } from './assignment-panel.tsx';
import { ContactCard } from './contact-card.tsx';
import { FilesPanel } from './files-panel.tsx';
import { LifecyclePanel } from './lifecycle-panel.tsx';
import './panel.css';
import { PanelSection } from './panel-section.tsx';
import { Bookings, ContactNotes, Orders, Previous } from './related.tsx';
import { TagsPanel } from './tags-panel.tsx';

/** What is known about the customer and the conversation. */
export function SidePanel({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  const can = useCan();
  return (
    <aside className="thread-panel" aria-label={t`Details`}>
      <div className="panel-head">
        <Title order={2} size="h5">
          <Trans>Details</Trans>
        </Title>
        <CloseButton className="panel-close" aria-label={t`Hide the details`} onClick={onClose} />
      </div>
      <PanelSection title={t`Contact`}>
        <ContactCard />
      </PanelSection>
      <PanelSection title={t`Assignment`}>
        <AssignmentPanel />
      </PanelSection>
      <PanelSection title={t`Tags`}>
        <TagsPanel />
      </PanelSection>
      <PanelSection title="AI" id="panel-ai">
        <AiPanel />
      </PanelSection>
      <PanelSection title={t`Other conversations`}>
        <Previous />
      </PanelSection>
      {can('commerce.view') && (
        <PanelSection title={t`Orders`}>
          <Orders />
        </PanelSection>
      )}
      {can('calendar.view') && (
        <PanelSection title={t`Bookings`}>
          <Bookings />
        </PanelSection>
      )}
      {can('contacts.view') && (
        <PanelSection title={t`Notes about the contact`}>
          <ContactNotes />
        </PanelSection>
      )}
      <PanelSection title={t`Files`}>
        <FilesPanel />
      </PanelSection>
      <PanelSection title={t`Lifecycle`}>
        <LifecyclePanel />
      </PanelSection>
    </aside>
  );
}
