package dev.handoff.internal.plan.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.handoff.internal.plan.apply.RecoveryResult.Ending;
import dev.handoff.testing.ChildJvm;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("An apply whose process is killed")
@EnabledOnOs(OS.LINUX)
class ApplyKillTest {

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "0, make .handoff-plan-1, NOTHING",
    "0, open .handoff-plan-1, UNDONE",
    "0, write n0, UNDONE",
    "0, write journal, UNDONE",
    "0, move journal commit, UNDONE",
    "0, move last.txt o4, FINISHED",
    "0, move er e0, FINISHED",
    "0, move index.html o0, FINISHED",
    "0, move n0 index.html, FINISHED",
    "0, move n6 readme.md, FINISHED",
    "0, move .handoff-plan-1 .handoff-plan-1~done, FINISHED",
    "0, names, FINISHED",
    "0, deleteDirectory .handoff-plan-1~done, FINISHED",
    "1, move module e0, FINISHED",
    "1, move n0 module, FINISHED",
    "2, move .handoff-plan-1~root root, UNDONE",
    "2, move n0 a.txt, FINISHED",
    "3, move two.txt o1, FINISHED",
  })
  void isFinishedOrUndoneByTheNextOne(int number, String point, Ending ending) throws Exception {
    var scene = ApplyScene.of(directory, EditSample.ALL.get(number)).again();
    var command = ChildJvm.command(ApplyProgram.class);
    command.addAll(List.of(scene.root().toString(), String.valueOf(number), point));

    int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
    var recovered = scene.recover();

    assertThat(exit).isEqualTo(ApplyProgram.HALTED);
    assertThat(recovered.ending()).isEqualTo(ending);
    scene.isAsItsEndingSays(recovered);
  }
}
