/** Syntax that the console must not contain, as ESLint selectors. */
const FORBIDDEN = [
  {
    selector: 'JSXText[value=/\\p{L}/u]',
    message: 'Nobody translates it: take it from the texts.',
  },
  {
    selector: 'JSXAttribute[name.name=/^(maxLength|maxTags)$/], Property[key.name=/^(maxLength|maxTags)$/]',
    message: 'It cuts in silence what is pasted: use limited().',
  },
  {
    selector:
      'CallExpression:matches([callee.name=/^use(\\w*Effect|DidUpdate)$/], [callee.property.name=/^use\\w*Effect$/]) > ArrowFunctionExpression[expression=true]',
    message: 'React calls what an effect returns as its clean-up: write braces.',
  },
  {
    selector: 'JSXAttribute[name.name="ref"] ArrowFunctionExpression[expression=true]',
    message: 'React calls what a ref callback returns as its clean-up: write braces.',
  },
];

export default {
  meta: { name: 'console' },
  rules: {
    'forbidden-syntax': {
      create: (context) =>
        Object.fromEntries(
          FORBIDDEN.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
        ),
    },
  },
};
