import type { OptionDefinition } from '../../contract/booking-options.ts'
import type { ServiceQuestion } from '../../contract/service-quotes.ts'

/** As the parts that ask questions take them: what a customer is asked depends on the server alone. */
export const asOption = (question: ServiceQuestion): OptionDefinition => ({
  ...question,
  answeredBy: 'guest',
  visibleWhen: null,
  choices: question.choices.map((choice) => ({ ...choice, durationMin: 0, addProductGuid: null })),
})
