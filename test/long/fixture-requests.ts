/** What the fixture tools ask of the client, and the forms they show: as the scenarios of the suite want them. */
import { inputRequired } from '@modelcontextprotocol/server';

const three = (name: string) => [`${name}1`, `${name}2`, `${name}3`];
const titled = (name: string) => three(name).map((value) => ({ const: value, title: `Title of ${value}` }));

export const FORMS = {
  person: form({ username: { type: 'string' }, email: { type: 'string' } }, ['username', 'email']),
  name: form({ name: { type: 'string' } }, ['name']),
  color: form({ color: { type: 'string' } }, ['color']),
  context: form({ context: { type: 'string' } }, ['context']),
  ok: form({ ok: { type: 'boolean' } }, ['ok']),
  defaults: form({
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  }),
  enums: form({
    untitledSingle: { type: 'string', enum: three('option') },
    titledSingle: { type: 'string', oneOf: titled('value') },
    legacyEnum: { type: 'string', enum: three('opt'), enumNames: ['One', 'Two', 'Three'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: three('option') } },
    titledMulti: { type: 'array', items: { anyOf: titled('value') } },
  }),
} as const;

type Form = keyof typeof FORMS;

export function elicitation(shown: Form, message = `Please fill in: ${shown}`) {
  return { message, requestedSchema: FORMS[shown] as never };
}

export const ask = {
  form: (shown: Form) => inputRequired.elicit(elicitation(shown)),
  model: () => inputRequired.createMessage(prompt('What is the capital of France?')),
  roots: () => inputRequired.listRoots(),
};

export function prompt(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }], maxTokens: 100 };
}

function form(properties: object, required?: readonly string[]) {
  return { type: 'object', properties, ...(required && { required }) };
}
