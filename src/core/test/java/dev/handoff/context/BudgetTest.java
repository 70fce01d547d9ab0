package dev.handoff.context;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A budget")
class BudgetTest {

  @Test
  void ofAModelsWindow_leavesWhatIsNotTakenByOthers_andKeepsAPartForTheSkeleton() {
    var budget = Budget.of(128_000, 4_096, 2_400, 1_200);

    assertThat(budget.pool()).isEqualTo(102_258);
    assertThat(budget.skeleton()).isEqualTo(120_304 - 102_258);
  }

  @Test
  void ofSoManyTokens_isAllForTheFragments() {
    assertThat(Budget.of(4_000).pool()).isEqualTo(4_000);
    assertThat(Budget.of(4_000).skeleton()).isZero();
  }

  @Test
  void ofSoManyTokens_keepsAPartForTheSkeleton_whereThereIsAParent() {
    var budget = Budget.of(4_000).withSkeleton();

    assertThat(budget.pool()).isEqualTo(3_400);
    assertThat(budget.skeleton()).isEqualTo(600);
    assertThat(budget.withSkeleton()).isEqualTo(budget);
  }

  @Test
  void whoseWindowIsTakenByOthers_hasNothing() {
    assertThat(Budget.of(1_000, 1_000, 1, 0).pool()).isZero();
    assertThat(Budget.of(1_000, 1_000, 1, 0).skeleton()).isZero();
    assertThat(Budget.of(Integer.MIN_VALUE, Integer.MAX_VALUE, 1, 1).pool()).isZero();
  }
}
