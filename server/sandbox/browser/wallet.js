import { post, reportHeight, tell } from './talk.js'

const { wallet, failed } = document.body.dataset
const pay = document.getElementById('pay')

pay.addEventListener('click', async () => {
  pay.disabled = true
  try {
    const { isOk, answer } = await post('/v1/tokens', { wallet })
    if (!isOk) throw new Error(answer.message)
    tell('token', { token: answer.token, card: answer.card })
  } catch {
    document.getElementById('outcome').textContent = failed
    pay.disabled = false
  }
})
document.getElementById('cancel').addEventListener('click', () => tell('close'))
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') tell('close')
})
reportHeight()
pay.focus()
