import { Select, type SelectProps } from '@mantine/core'

/**
 * One of many, all of them known, searched while one types: the first match is marked, and Enter in
 * the list never sends a form.
 */
export function SearchChoice({ onKeyDown, ...props }: SelectProps) {
  return (
    <Select
      searchable
      selectFirstOptionOnDropdownOpen={props.value === null || props.value === undefined}
      selectFirstOptionOnChange
      {...props}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.currentTarget.getAttribute('aria-expanded') === 'true')
          event.preventDefault()
        onKeyDown?.(event)
      }}
    />
  )
}
