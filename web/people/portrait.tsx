import type { ReactNode } from 'react'
import { Avatar } from '../core/ui/avatar.tsx'
import './people.css'

/** The picture of a person, or the initials. */
export function Portrait({ name, picture, size = 72 }: { name: string; picture: string | null; size?: number }) {
  if (!picture) return <Avatar name={name} size={size} />
  return <img className="portrait" src={picture} alt="" width={size} height={size} />
}

export const PersonName = ({ children }: { children: ReactNode }) => <p className="person-name">{children}</p>
