import '../auth/auth.css'
import './catalogue.css'
import { Alert, Button, Checkbox, PinInput, TextInput } from '@mantine/core'
import { useRouterState } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useT } from '../core/i18n/i18n.ts'
import { Brand, BrandMark } from '../core/layout/brand.tsx'
import { usePage } from '../core/layout/page.ts'
import { Icon } from '../core/ui/icon.tsx'
import { AppLink } from '../core/ui/link.tsx'

type Kind = 'login' | 'register' | 'forgot-password' | 'reset-password' | 'two-steps' | 'verify-email'

const fieldsOf: Record<Kind, readonly ('name' | 'email' | 'password' | 'repeat')[]> = {
  login: ['email', 'password'],
  register: ['name', 'email', 'password'],
  'forgot-password': ['email'],
  'reset-password': ['password', 'repeat'],
  'two-steps': [],
  'verify-email': [],
}
/** Where the link under the form leads: always to another demonstration. */
const nextOf: Record<Kind, 'login' | 'register'> = {
  login: 'register',
  register: 'login',
  'forgot-password': 'login',
  'reset-password': 'login',
  'two-steps': 'login',
  'verify-email': 'login',
}

/** Layouts of authentication pages. They are demonstrations: nothing that is typed here is kept, sent or checked. */
export function Page() {
  const t = useT('pages')
  const path = useRouterState({ select: (state) => state.location.pathname })
  const [, name = 'login', version = 'v1'] = /([a-z-]+)-(v[12])\/?$/.exec(path) ?? []
  const kind = name in fieldsOf ? (name as Kind) : 'login'
  usePage({ title: t(`pages:auth.${kind}`) })
  const form = <Form key={kind} kind={kind} version={version} />
  return (
    <>
      <div className="demonstration" role="note">
        <span>{t('pages:demonstration')}</span>
        <AppLink to="/">{t('pages:back')}</AppLink>
      </div>
      {version === 'v2' ? <Split>{form}</Split> : <Centred>{form}</Centred>}
    </>
  )
}

function Centred({ children }: { children: ReactNode }) {
  return (
    <div className="auth-page demo-page">
      <div className="auth-card card">
        <div className="auth-brand">
          <Brand />
        </div>
        {children}
      </div>
    </div>
  )
}

function Split({ children }: { children: ReactNode }) {
  return (
    <div className="demo-split demo-page">
      <div className="demo-picture" aria-hidden="true">
        <BrandMark size={160} />
      </div>
      <div className="demo-side">
        <div className="demo-form">
          <Brand />
          <div className="demo-gap" />
          {children}
        </div>
      </div>
    </div>
  )
}

function Form({ kind, version }: { kind: Kind; version: string }) {
  const t = useT('pages')
  const [isTried, setTried] = useState(false)
  const fields = fieldsOf[kind]
  return (
    <>
      <h1 className="auth-title">{t(`pages:auth.${kind}`)}</h1>
      <p className="auth-text">{t(`pages:text.${kind}`)}</p>
      <form
        className="stack"
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
        }}
      >
        {isTried ? (
          <Alert color="blue" variant="light" role="status" icon={<Icon name="info" />}>
            {t('pages:nothingSent')}
          </Alert>
        ) : null}
        {fields.map((field) => (
          <TextInput
            key={field}
            label={t(`pages:field.${field}`)}
            autoComplete="off"
            data-1p-ignore=""
            data-lpignore="true"
            {...(field === 'password' || field === 'repeat' ? { type: 'password' } : {})}
          />
        ))}
        {kind === 'two-steps' ? (
          <PinInput
            length={6}
            type="number"
            aria-label={t('pages:field.code')}
            getInputProps={(index: number) => ({ 'aria-label': t('pages:field.digit', { number: index + 1 }) })}
            className="demo-pin"
          />
        ) : null}
        {kind === 'login' ? (
          <div className="row spread">
            <Checkbox label={t('pages:field.remember')} />
            <AppLink to={`/pages/authentication/forgot-password-${version}`}>{t('pages:link.forgot')}</AppLink>
          </div>
        ) : null}
        <Button type="submit" fullWidth size="md">
          {t(`pages:button.${kind}`)}
        </Button>
        <AppLink to={`/pages/authentication/${nextOf[kind]}-${version}`} className="link auth-back">
          {t(`pages:link.${nextOf[kind]}`)}
        </AppLink>
      </form>
    </>
  )
}
