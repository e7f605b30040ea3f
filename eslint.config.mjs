import i18next from 'eslint-plugin-i18next';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['**/dist', 'coverage', 'data', 'test/.tmp', '**/*.gen.ts'] },
  ...tseslint.configs.strictTypeChecked,
  {
    // A rule that is wrong is changed here, for everyone; a comment in the code turns none off.
    linterOptions: { noInlineConfig: true },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': true }],
      // openid-client marks what plain HTTP takes as deprecated, so that it stands out.
      '@typescript-eslint/no-deprecated': [
        'error',
        { allow: [{ from: 'package', package: 'openid-client', name: 'allowInsecureRequests' }] },
      ],
      // Nest modules and DTOs are classes that hold decorators only.
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-restricted-properties': [
        'error',
        {
          object: 'URL',
          property: 'canParse',
          message:
            'Wrong for Latin-1 letters in Node 20 and 22 once V8 has optimized its caller: use URL.parse.',
        },
      ],
      // Options of libraries are often declared as classes and always given as literals.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Methods that keep an asynchronous contract need not await anything today.
      '@typescript-eslint/require-await': 'off',
    },
  },
  { files: ['**/*.mjs', '**/*.cjs', '**/*.js'], ...tseslint.configs.disableTypeChecked },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  {
    files: ['console/**/*.{ts,tsx}'],
    extends: [
      reactHooks.configs.flat.recommended,
      jsxA11y.flatConfigs.recommended,
      i18next.configs['flat/recommended'],
    ],
    rules: {
      // A route that leads elsewhere throws a redirect, as the router asks for.
      '@typescript-eslint/only-throw-error': [
        'error',
        { allow: [{ from: 'package', package: '@tanstack/router-core', name: 'Redirect' }] },
      ],
      // What scrolls must be reachable by keyboard.
      'jsx-a11y/no-noninteractive-tabindex': ['error', { roles: ['tabpanel', 'region'], tags: [] }],
      'i18next/no-literal-string': ['error', { mode: 'jsx-text-only' }],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'JSXAttribute[name.name=/^(maxLength|maxTags)$/], Property[key.name=/^(maxLength|maxTags)$/]',
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
      ],
    },
  },
  {
    // Programs that are compiled only, to prove what types accept and refuse.
    files: ['clients/*/test/types.ts'],
    rules: {
      '@typescript-eslint/ban-ts-comment': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-unused-vars': 'off',
    },
  },
  {
    files: ['test/**/*.ts', 'clients/*/test/**/*.ts', 'src/**/*.spec.ts'],
    rules: {
      // supertest bodies and raw query rows are untyped by nature; tests assert on them.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);
