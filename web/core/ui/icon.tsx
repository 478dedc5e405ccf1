import { icons, type IconName } from './icons.ts'

/** A decorative icon by name; whatever it stands for is said in text beside it or in the label around it. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  const Drawn = icons[name]
  return <Drawn size={size} stroke={1.75} aria-hidden="true" focusable="false" />
}
