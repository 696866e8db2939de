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
  const can = useCan();
  return (
    <aside className="thread-panel" aria-label="Details">
      <div className="panel-head">
        <Title order={2} size="h5">
          Details
        </Title>
        <CloseButton className="panel-close" aria-label="Hide the details" onClick={onClose} />
      </div>
      <PanelSection title="Contact">
        <ContactCard />
      </PanelSection>
      <PanelSection title="Assignment">
        <AssignmentPanel />
      </PanelSection>
      <PanelSection title="Tags">
        <TagsPanel />
      </PanelSection>
      <PanelSection title="AI" id="panel-ai">
        <AiPanel />
      </PanelSection>
      <PanelSection title="Other conversations">
        <Previous />
      </PanelSection>
      {can('commerce.view') && (
        <PanelSection title="Orders">
          <Orders />
        </PanelSection>
      )}
      {can('calendar.view') && (
        <PanelSection title="Bookings">
          <Bookings />
        </PanelSection>
      )}
      {can('contacts.view') && (
        <PanelSection title="Notes about the contact">
          <ContactNotes />
        </PanelSection>
      )}
      <PanelSection title="Files">
        <FilesPanel />
      </PanelSection>
      <PanelSection title="Course">
        <LifecyclePanel />
      </PanelSection>
    </aside>
  );
}
