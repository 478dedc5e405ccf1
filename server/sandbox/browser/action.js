import { post, reportHeight, tell } from './talk.js'

const { action, approved, declined, failed } = document.body.dataset
const returnUrl = document.body.dataset.return
const outcome = document.getElementById('outcome')
const buttons = [...document.querySelectorAll('button')]

async function answer(isApproved) {
  for (const button of buttons) button.disabled = true
  try {
    const { isOk, answer: told } = await post(`/v1/3ds/${action}`, { isApproved })
    if (!isOk) throw new Error(told.message)
    const status = told.status === 'succeeded' ? 'succeeded' : 'failed'
    outcome.textContent = status === 'succeeded' ? approved : declined
    document.getElementById('buttons').hidden = true
    tell('action', { status })
    if (window.parent === window && returnUrl) {
      const back = new URL(returnUrl)
      back.searchParams.set('payment', told.id)
      back.searchParams.set('payment_status', status)
      window.location.assign(back)
    }
  } catch {
    outcome.textContent = failed
    for (const button of buttons) button.disabled = false
  }
}

document.getElementById('approve').addEventListener('click', () => answer(true))
document.getElementById('decline').addEventListener('click', () => answer(false))
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') tell('close')
})
reportHeight()
document.getElementById('approve').focus()
