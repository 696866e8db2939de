import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { SignInState } from '../../../schema/sign-in.ts';
import { draw } from '../app/draw.tsx';
import { type Failure, failureOf } from '../app/failure.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import '../app/kit.css';
import '../app/styles.css';
import { LanguageField } from '../language/language-field.tsx';
import { beginFirstVisit } from '../help/first-visit.ts';
import { returnPath, signInState } from './auth.ts';
import { InvitationForm } from './invitation-form.tsx';
import { RecoveryForm } from './recovery-form.tsx';
import { SetUpForm } from './set-up-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import './sign-in.css';

// Links carry their secret after the #, which browsers send nowhere; nor does it stay in the address or the history.
const token = location.hash.slice(1);
if (token !== '') history.replaceState(null, '', location.pathname + location.search);
// A link that is opened over this page changes nothing but what follows the #.
addEventListener('hashchange', () => location.reload());

const enter = () => location.assign(returnPath());
const enterFirst = () => {
  beginFirstVisit();
  enter();
};

const titles: Record<string, string> = {
  get '/set-up'() {
    return t`Welcome to Parlour`;
  },
  get '/recovery'() {
    return token === '' ? t`Forgot your password?` : t`Choose a new password`;
  },
  get '/invitation'() {
    return t`You are invited`;
  },
};

function Door({ path, state }: { path: string; state: SignInState }) {
  if (path === '/set-up') return <SetUpForm onSignedIn={enterFirst} />;
  if (path === '/recovery') return <RecoveryForm token={token} mail={state.mail} />;
  if (path === '/invitation') return <InvitationForm token={token} onSignedIn={enterFirst} />;
  return <SignInForm demo={state.demo} passkeys={state.passkeys} onSignedIn={enter} />;
}

function Page() {
  const { t } = useLingui();
  const [state, setState] = useState<SignInState | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const load = () => {
    setFailure(null);
    signInState().then(setState, (error: unknown) => setFailure(failureOf(error)));
  };
  useEffect(load, []);
  // An empty installation has one door, and that door exists nowhere else.
  const asked = location.pathname === '/set-up' ? '/sign-in' : location.pathname;
  const path = state?.set_up ? '/set-up' : asked;
  const title = titles[path] ?? t`Sign in`;
  useEffect(() => {
    if (state) document.title = `${title} · Parlour`;
  }, [state, title]);
  return (
    <div className="door">
      <main>
        <div className="door-mark">
          <img src="/icon.svg" alt="" />
          <span>Parlour</span>
        </div>
        {failure && <FailureAlert failure={failure} retry={load} />}
        {state && (
          <>
            <Title order={1} size="h2" mb="lg">
              {title}
            </Title>
            <Door path={path} state={state} />
          </>
        )}
        <a className="door-help" href="/docs" target="_blank" rel="noopener">
          <Trans>Help</Trans>
        </a>
        <div className="door-language">
          <LanguageField />
        </div>
      </main>
    </div>
  );
}

draw(<Page />);
