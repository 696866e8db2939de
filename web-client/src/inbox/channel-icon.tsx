import {
  AtSign,
  Camera,
  Code,
  FlaskConical,
  type LucideIcon,
  Mail,
  MessageCircle,
  MessageSquareText,
  MessagesSquare,
  Music,
  Phone,
} from 'lucide-react';

const icons: Readonly<Record<string, LucideIcon>> = {
  simulator: FlaskConical,
  webchat: MessagesSquare,
  whatsapp: Phone,
  messenger: MessageCircle,
  instagram: Camera,
  tiktok: Music,
  sms: MessageSquareText,
  email: Mail,
  api: Code,
};

/** The kind of a channel as a sign; its name stands beside it for those who can't see it. */
export function ChannelIcon({ kind }: { kind: string }) {
  const Icon = icons[kind] ?? AtSign;
  return <Icon size={13} aria-hidden />;
}
