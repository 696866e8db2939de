/** A page of somebody else's making, in a document of its own: neither its styles nor its keys reach ours. */
export function Frame({ title, src }: { title: string; src: string }) {
  return <iframe className="developers-frame" title={title} src={src} />;
}
