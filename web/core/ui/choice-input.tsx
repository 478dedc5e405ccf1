import { Select, type SelectProps } from '@mantine/core'

/** One of a few, all of them known: the first is marked where nothing is chosen, and Enter in the list never sends a form. */
export function ChoiceInput({ onKeyDown, ...props }: SelectProps) {
  return (
    <Select
      selectFirstOptionOnDropdownOpen={props.value === null || props.value === undefined}
      selectFirstOptionOnChange={props.searchable ?? false}
      {...props}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.currentTarget.getAttribute('aria-expanded') === 'true') event.preventDefault()
        onKeyDown?.(event)
      }}
    />
  )
}
