import { Input, Skeleton } from '@mantine/core'

/** Holds the place of the editor until it is there. */
export const Waiting = ({ label }: { label: string }) => (
  <Input.Wrapper label={label}>
    <Skeleton height={260} radius={6} />
  </Input.Wrapper>
)
