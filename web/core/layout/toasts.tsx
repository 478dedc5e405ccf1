import { Bounce, ToastContainer, type ToastTransitionProps } from 'react-toastify/unstyled'
import 'react-toastify/ReactToastify.css'
import { useComputedColorScheme } from '@mantine/core'
import { useLanguage, useT } from '../i18n/i18n.ts'
import { isRtl } from '../../../contract/core/languages.ts'

/** A toast begins to count once it has entered, and would begin in a window that has lost the focus, too. */
function Entrance(transition: ToastTransitionProps) {
  return <Bounce {...transition} playToast={() => (document.hasFocus() ? transition.playToast() : undefined)} />
}

/** Toasts: top-right, 5000 ms, at most 20, dragging 60 % of the width dismisses, paused on hover and on focus loss. */
export function Toasts() {
  const t = useT('common')
  const rtl = isRtl(useLanguage())
  const theme = useComputedColorScheme('light')
  return (
    <ToastContainer
      aria-label={t('common:notifications')}
      position="top-right"
      autoClose={5000}
      limit={20}
      draggable
      draggablePercent={60}
      pauseOnHover
      pauseOnFocusLoss
      newestOnTop
      rtl={rtl}
      theme={theme}
      transition={Entrance}
    />
  )
}
