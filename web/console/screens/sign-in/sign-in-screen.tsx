import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { sessionKey } from '../../api/session.tsx'
import { Logo } from '../../frame/logo.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'
import { DemoSignIn } from './demo-sign-in.tsx'
import { ForgotForm } from './forgot-form.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { sign_in_words } from './sign-in-words.ts'
import './sign-in.css'

export function SignInScreen() {
  const words = useWords(sign_in_words)
  const { language, choose } = useLanguage()
  const queries = useQueryClient()
  const [has_forgotten, setForgotten] = useState(false)
  const other = language === 'en' ? 'ja' : 'en'
  const title = has_forgotten ? words.forgot_title : words.title
  useEffect(() => {
    document.title = `${title} · Kaikei`
  }, [title])
  return (
    <div className="sign-in">
      <header>
        <Logo />
        <Button kind="quiet" small lang={other} onClick={() => choose(other)}>
          {words.other_language}
        </Button>
      </header>
      <main>
        <h1>{title}</h1>
        {has_forgotten ? (
          <ForgotForm back={() => setForgotten(false)} />
        ) : (
          <SignInForm
            done={(session) => queries.setQueryData(sessionKey(), session)}
            forgot={() => setForgotten(true)}
          />
        )}
        {!has_forgotten && <DemoSignIn />}
      </main>
    </div>
  )
}
