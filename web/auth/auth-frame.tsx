import './auth.css'
import type { ReactNode } from 'react'
import { Brand } from '../core/layout/brand.tsx'
import { LanguageChoice } from '../core/layout/language-choice.tsx'

/** The card in the middle of the pages before the login. */
export function AuthFrame({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="auth-page">
      <div className="auth-card card">
        <div className="auth-brand">
          <Brand />
        </div>
        <h1 className="auth-title">{title}</h1>
        <p className="auth-text">{text}</p>
        {children}
        <LanguageChoice />
      </div>
    </div>
  )
}
