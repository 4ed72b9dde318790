// What is drawn before the first screen is known, in the measures of the form.

export function Skeleton({ loading }: { loading: string }) {
  return (
    <div class="skeleton" role="status">
      <span class="unseen">{loading}</span>
      <i class="short" />
      <i class="line" />
      <i class="line" />
      <i class="line" />
      <i class="button" />
    </div>
  );
}
