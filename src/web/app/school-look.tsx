/** The logo of the school, or ours. */
export const Logo = ({ school }: { school: { logo_url: string | null } | undefined }) => (
  <img src={school?.logo_url ?? '/favicon.svg'} alt="" className="h-7 max-w-32 object-contain" />
);
