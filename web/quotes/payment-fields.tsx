import { useWatch, type Control, type FieldPath, type FieldValues } from 'react-hook-form'
import { DepositField } from '../lines/deposit-field.tsx'
import { ScheduleField } from './schedule-field.tsx'

/** A deposit, or stages instead of it: the form has them as `depositRule` and `schedule`. */
export function PaymentFields<T extends FieldValues>({ control }: { control: Control<T> }) {
  const schedule = 'schedule' as FieldPath<T>
  const isStaged = useWatch({ control, name: schedule }) !== null
  return (
    <>
      {isStaged ? null : <DepositField control={control} name={'depositRule' as FieldPath<T>} />}
      <ScheduleField control={control} name={schedule} />
    </>
  )
}
