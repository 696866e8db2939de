/**
 * JSON as YAML in block style. Every text is quoted as in JSON, which YAML allows: nothing can be mistaken for a number
 * or a date. A library takes seconds over a document of this size, and nobody else is answered meanwhile.
 */
export function toYaml(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return ` ${JSON.stringify(value)}\n`;
  const entries = Array.isArray(value)
    ? value.map((one) => ['-', one] as const)
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([name, one]) => [`${plain.test(name) ? name : JSON.stringify(name)}:`, one] as const);
  if (entries.length === 0) return Array.isArray(value) ? ' []\n' : ' {}\n';
  const lines = entries.map(([lead, one]) => `${indent}${lead}${toYaml(one, `${indent}  `)}`);
  return `${indent === '' ? '' : '\n'}${lines.join('')}`;
}

const plain = /^(?!(?:null|true|false|yes|no|on|off|y|n)$)[A-Za-z_$][\w$-]*$/i;
