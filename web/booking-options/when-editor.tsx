import { Button, TextInput } from '@mantine/core'
import type { ConditionRule, OptionDefinition, VisibleWhen } from '../../contract/booking-options.ts'
import { inLanguage } from '../../contract/booking-options.ts'
import { phraseOr, useLanguage, useT } from '../core/i18n/i18n.ts'
import { ChoiceInput } from '../core/ui/choice-input.tsx'
import { IconTool } from '../core/ui/icon-tool.tsx'

type Rule = VisibleWhen['rules'][number]
type Group = Extract<Rule, { match: unknown }>
type Other = Pick<OptionDefinition, 'code' | 'label' | 'input' | 'choices'>

export interface WhenEditorProps {
  value: VisibleWhen | null
  onChange: (value: VisibleWhen | null) => void
  /** The options that a condition may name. */
  others: readonly Other[]
  error?: string | null
  isDisabled: boolean
}

const isGroup = (rule: Rule): rule is Group => 'rules' in rule
const opsOf = (input: OptionDefinition['input']): ConditionRule['op'][] =>
  input === 'single' || input === 'boolean'
    ? ['is', 'answered']
    : input === 'multi'
      ? ['includes', 'answered']
      : input === 'quantity'
        ? ['atLeast', 'atMost', 'answered']
        : ['answered']

/** The rule that an option begins with: its first choice, one of it, or any answer. */
function firstRule(other: Other): ConditionRule {
  const op = opsOf(other.input)[0] ?? 'answered'
  return ruleOf(other, op)
}
function ruleOf(other: Other, op: ConditionRule['op']): ConditionRule {
  if (op === 'answered') return { option: other.code, op }
  if (op === 'atLeast' || op === 'atMost') return { option: other.code, op, value: '1' }
  return { option: other.code, op, value: other.input === 'boolean' ? 'yes' : (other.choices[0]?.code ?? '') }
}

/** When a question is asked: always, or only after certain answers to other questions. */
export function WhenEditor({ value, onChange, others, error, isDisabled }: WhenEditorProps) {
  const t = useT('options')
  const [first] = others
  return (
    <div className="stack">
      <ChoiceInput
        label={t('options:when.title')}
        disabled={isDisabled || !first}
        description={first ? undefined : t('options:when.none')}
        data={[
          { value: 'always', label: t('options:when.always') },
          { value: 'all', label: t('options:when.all') },
          { value: 'any', label: t('options:when.any') },
        ]}
        value={value?.match ?? 'always'}
        onChange={(match) => {
          if (match === 'all' || match === 'any')
            onChange({ match, rules: value?.rules ?? (first ? [firstRule(first)] : []) })
          else onChange(null)
        }}
      />
      {value ? (
        <Rules
          rules={value.rules}
          others={others}
          isDisabled={isDisabled}
          set={(rules) => onChange(rules.length ? { ...value, rules } : null)}
          hasGroups
        />
      ) : null}
      {error ? <p className="question-error small no-margin">{error}</p> : null}
    </div>
  )
}

interface RulesProps {
  rules: readonly Rule[]
  others: readonly Other[]
  set: (rules: Rule[]) => void
  isDisabled: boolean
  hasGroups?: boolean
}

function Rules({ rules, others, set, isDisabled, hasGroups = false }: RulesProps) {
  const t = useT('options')
  const [first] = others
  const change = (index: number, rule: Rule) => set(rules.map((before, i) => (i === index ? rule : before)))
  const remove = (index: number) => set(rules.filter((_rule, i) => i !== index))
  return (
    <div className="when-rules">
      {rules.map((rule, index) =>
        isGroup(rule) ? (
          <div key={index} className="when-group">
            <div className="when-row">
              <ChoiceInput
                label={t('options:when.group')}
                disabled={isDisabled}
                data={[
                  { value: 'all', label: t('options:when.groupAll') },
                  { value: 'any', label: t('options:when.groupAny') },
                ]}
                value={rule.match}
                onChange={(match) => change(index, { ...rule, match: match === 'any' ? 'any' : 'all' })}
              />
              <IconTool
                icon="delete"
                isDisabled={isDisabled}
                label={t('options:when.remove')}
                onClick={() => remove(index)}
              />
            </div>
            <Rules
              rules={rule.rules}
              others={others}
              isDisabled={isDisabled}
              set={(inner) =>
                inner.length ? change(index, { ...rule, rules: inner as ConditionRule[] }) : remove(index)
              }
            />
          </div>
        ) : (
          <OneRule
            key={index}
            rule={rule}
            others={others}
            isDisabled={isDisabled}
            set={(next) => change(index, next)}
            remove={() => remove(index)}
          />
        ),
      )}
      {isDisabled || !first || rules.length >= 10 ? null : (
        <div className="row">
          <Button variant="light" size="compact-sm" onClick={() => set([...rules, firstRule(first)])}>
            {t('options:when.add')}
          </Button>
          {hasGroups ? (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() => set([...rules, { match: 'any', rules: [firstRule(first)] }])}
            >
              {t('options:when.addGroup')}
            </Button>
          ) : null}
        </div>
      )}
    </div>
  )
}

interface OneRuleProps {
  rule: ConditionRule
  others: readonly Other[]
  set: (rule: ConditionRule) => void
  remove: () => void
  isDisabled: boolean
}

function OneRule({ rule, others, set, remove, isDisabled }: OneRuleProps) {
  const t = useT('options', 'common')
  const language = useLanguage()
  const other = others.find(({ code }) => code === rule.option)
  const choices =
    other?.input === 'boolean'
      ? [
          { value: 'yes', label: t('common:yes') },
          { value: 'no', label: t('common:no') },
        ]
      : (other?.choices ?? []).map((choice) => ({ value: choice.code, label: inLanguage(choice.label, language) }))
  return (
    <div className="when-row">
      <ChoiceInput
        label={t('options:when.option')}
        disabled={isDisabled}
        data={others.map(({ code, label }) => ({ value: code, label: inLanguage(label, language) }))}
        value={rule.option}
        onChange={(code) => {
          const next = others.find((one) => one.code === code)
          if (next) set(firstRule(next))
        }}
      />
      <ChoiceInput
        label={t('options:when.op')}
        disabled={isDisabled}
        data={(other ? opsOf(other.input) : [rule.op]).map((op) => ({
          value: op,
          label: phraseOr(`options:ops.${op}`, op),
        }))}
        value={rule.op}
        onChange={(op) => {
          if (other && op) set(ruleOf(other, op as ConditionRule['op']))
        }}
      />
      {rule.op === 'answered' ? (
        <span />
      ) : rule.op === 'atLeast' || rule.op === 'atMost' ? (
        <TextInput
          label={t('options:when.value')}
          disabled={isDisabled}
          inputMode="decimal"
          value={rule.value}
          onChange={(event) => set({ ...rule, value: event.currentTarget.value.replace(/[^\d.]/g, '') })}
        />
      ) : (
        <ChoiceInput
          label={t('options:when.value')}
          disabled={isDisabled}
          data={choices}
          value={rule.value}
          onChange={(code) => set({ ...rule, value: code ?? '' })}
        />
      )}
      <IconTool icon="delete" isDisabled={isDisabled} label={t('options:when.remove')} onClick={remove} />
    </div>
  )
}
