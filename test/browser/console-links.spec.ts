import { createLink } from '../support/links';
import { useTestConsole } from '../support/console';
import { screenshot } from '../support/browser';

describe('the links page of the console', () => {
  const console = useTestConsole();

  beforeAll(async () => {
    for (let index = 0; index < 12; index++) {
      await createLink(console.organization, {
        url: `https://shop.example.com/products/${index}?color=red`,
        customAlias: `product-${index}`,
        title: index % 3 === 0 ? null : `Product ${index} of the spring collection`,
        tags: index % 2 === 0 ? ['spring', 'shop', 'newsletter', 'long tag that goes on'] : ['autumn'],
        enabled: index !== 5,
        ...(index === 7 && { password: 'secret' }),
        ...(index === 8 && { expirationDate: '2030-01-01' }),
      });
    }
  });

  it('looks', async () => {
    const { page } = await console.open('/links');
    await page.getByRole('table').waitFor();
    await screenshot(page, 'console-links-x1');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.waitForTimeout(500);
    await screenshot(page, 'console-links-x2');
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox').nth(2).check();
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.waitForTimeout(500);
    await page.getByRole('dialog').getByLabel('Destination').first().fill('https://shop.example.com/x?utm_source=a');
    await page.getByRole('dialog').getByLabel('Alias').fill('product-1');
    for (const name of ['UTM values', 'Card in', 'Schedule', 'Targeting', 'Apps and', 'More settings'])
      await page.getByRole('button', { name: new RegExp(name) }).click();
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByRole('button', { name: 'Add a variant' }).click();
    await page.waitForTimeout(800);
    await page.setViewportSize({ width: 1280, height: 3600 });
    await page.waitForTimeout(300);
    await screenshot(page, 'console-links-x3');
  });
});
