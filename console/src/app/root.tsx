import { Outlet } from '@tanstack/react-router';
import { AwayBanner } from './away-banner';

export function Root() {
  return (
    <>
      <AwayBanner />
      <Outlet />
    </>
  );
}
