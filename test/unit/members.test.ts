import { afterEach, expect, test, vi } from 'vitest';
import { type MemberNews, Members } from '../../server/realtime/members.ts';

afterEach(() => void vi.useRealTimers());

const ana = { user_id: 'ana', user_info: { name: 'Ana', email: 'ana@example.com' } };
const rui = { user_id: 'rui', user_info: { name: 'Rui', email: 'rui@example.com' } };

/** Processes that hear each other, as over NOTIFY. */
function processes(count: number) {
  const wires: { alive: boolean; members: Members; changes: string[] }[] = [];
  const tell = (news: MemberNews) => {
    for (const { alive, members } of wires) if (alive) members.hear(news);
  };
  const add = () => {
    const changes: string[] = [];
    const members = new Members(tell, (_channel, { user_id }, op) => changes.push(`${op} ${user_id}`));
    const wire = { alive: true, members, changes };
    wires.push(wire);
    members.hello();
    return wire;
  };
  return { add, first: Array.from({ length: count }, add) };
}

test('every process knows all members, also one that starts later', () => {
  const { add, first } = processes(2);
  first[0]!.members.join('c', ana, '1');
  first[1]!.members.join('c', rui, '2');
  const late = add();
  for (const { members } of [...first, late])
    expect(
      members
        .list('c')
        .map(({ user_id }) => user_id)
        .sort(),
    ).toEqual(['ana', 'rui']);
  expect(first[0]!.changes).toEqual(['added ana', 'added rui']);
});

test('somebody with several sockets comes and goes once', () => {
  const [one, two] = processes(2).first;
  one!.members.join('c', ana, '1');
  one!.members.join('c', ana, '2');
  two!.members.join('c', ana, '3');
  one!.members.leave('c', 'ana', '1');
  one!.members.leave('c', 'ana', '2');
  expect([one!.changes, two!.changes]).toEqual([['added ana'], ['added ana']]);
  two!.members.leave('c', 'ana', '3');
  expect([one!.changes, two!.changes]).toEqual([
    ['added ana', 'removed ana'],
    ['added ana', 'removed ana'],
  ]);
});

test('the members of a process that dies leave when it has been silent for half a minute', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const [one, two] = processes(2).first;
  one!.members.join('c', ana, '1');
  two!.members.join('c', rui, '2');
  two!.alive = false;
  vi.advanceTimersByTime(29_000);
  one!.members.tick();
  expect(one!.members.has('c', 'rui')).toBe(true);
  vi.advanceTimersByTime(2_000);
  one!.members.tick();
  expect(one!.members.has('c', 'rui')).toBe(false);
  expect(one!.changes).toEqual(['added ana', 'added rui', 'removed rui']);
});

test('news that were missed are asked for again: who left meanwhile leaves, who stays is not told twice', () => {
  const [one, two] = processes(2).first;
  two!.members.join('c', ana, '1');
  two!.members.join('c', rui, '2');
  one!.alive = false;
  two!.members.leave('c', 'rui', '2');
  one!.alive = true;
  one!.members.hello();
  expect(one!.members.has('c', 'rui')).toBe(true);
  one!.members.settle();
  expect(one!.members.list('c')).toEqual([ana]);
  expect(one!.changes).toEqual(['added ana', 'added rui', 'removed rui']);
});
