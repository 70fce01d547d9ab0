import com.github.sbt.junit.jupiter.sbt.Import.jupiterTestFramework
import sbt._
import sbt.Keys._

/** How many tests of a run passed, failed and were skipped, and which failed, line by line. */
final case class Tally(passed: Int, failed: Int, skipped: Int, failures: Seq[String]) {
  def +(other: Tally): Tally =
    Tally(passed + other.passed, failed + other.failed, skipped + other.skipped, failures ++ other.failures)

  def line: String = s"$passed passed, $failed failed" + (if (skipped > 0) s", $skipped skipped" else "")
}

/** Test runs whose last line says how they went: `12 passed, 0 failed`. */
object TestRuns {
  val testForks = settingKey[Int]("Number of JVMs that share the tests")
  val forkFlags = taskKey[Int => Seq[String]]("JVM options of a fork beyond javaOptions, by its number")
  val failedTests = taskKey[FailedTests]("Collects the tests that fail in one run")
  val longestTest = settingKey[Int]("Minutes after which a JVM is ended in which no test begins or ends")
  val hangReports = settingKey[File]("Where such a JVM says what it was doing")
  val testNames = taskKey[Seq[String]]("Names of all tests")
  val tally = taskKey[Tally]("Runs the tests and counts them")

  /** Settings for one configuration of tests. */
  val settings: Seq[Setting[_]] = Seq(
    fork := true,
    // Most code runs once or twice: what compiles and collects with the least work of its own is the fastest.
    javaOptions := Seq("-Xmx2g", "-XX:TieredStopAtLevel=1", "-XX:ReservedCodeCacheSize=128m", "-XX:+UseSerialGC") ++
      Seq("-Dslf4j.internal.verbosity=ERROR") ++ Jvm.quietFlags,
    // Neither what a passing test prints is shown, nor that it starts.
    testOptions := Seq(Tests.Argument(jupiterTestFramework, "-q", "+v")),
    failedTests := new FailedTests,
    testListeners += failedTests.value,
    forkFlags := (_ => Nil),
    longestTest := 5,
    hangReports := target.value / "hung" / configuration.value.name,
    testGrouping := {
      val options = forkOptions.value
      val forks = testForks.value
      val flags = forkFlags.value
      val hangs = hangReports.value
      val minutes = longestTest.value
      val tries = target.value / s"jqwik-${configuration.value.name}"
      def own(number: Int) = Seq(
        s"-Dtests.hang.minutes=$minutes",
        s"-Dtests.hang.report=${hangs / s"fork-$number.txt"}",
        // It cannot be shared: who reads it while another one writes finds half of it.
        s"-Djqwik.database=$tries-fork-$number"
      )
      // What is long to read tends to take long: dealt out first, it is spread evenly.
      val lengths = sources.value.map(file => file.base -> file.length).toMap
      def length(test: TestDefinition) = lengths.getOrElse(test.name.split('.').last, 0L)
      definedTests.value.sortBy(test => (-length(test), test.name)).zipWithIndex.groupBy(_._2 % forks).toSeq.sortBy(_._1).map {
        case (number, tests) =>
          val forked = options.withRunJVMOptions(options.runJVMOptions ++ flags(number) ++ own(number))
          Tests.Group(s"fork-$number", tests.map(_._1), Tests.SubProcess(forked))
      }
    },
    executeTests := executeTests.dependsOn(Def.task(IO.delete(hangReports.value))).value,
    tally := {
      val output = executeTests.value
      val log = streams.value.log
      val logger = (test / testResultLogger).value
      val set = configuration.value.name
      val failures = failedTests.value.lines
      try logger.run(log, output, set)
      catch { case _: TestsFailedException => }
      count(output, failures ++ hangs(hangReports.value))
    },
    test := {
      val result = tally.value
      print(result)
      if (result.failed > 0) throw new TestsFailedException
    }
  )

  /** The tally of a configuration of tests in all modules. */
  def ofAllModules(configuration: Configuration): Setting[_] = configuration / tally := Def.task {
    tally.all(ScopeFilter(inAggregates(ThisProject, includeRoot = false), inConfigurations(configuration))).value.reduce(_ + _)
  }.value

  /** A command that runs the tests of a configuration and closes with their tally. */
  def command(word: String, configuration: Configuration): Command =
    Command.command(word)(state => close(state, run(state, configuration)))

  /** `testOnly` for all modules, which fails if no test of any module has such a name. */
  val onlyCommand: Command = Command.args("testOnly", "<test>*") { (state, arguments) =>
    val words = arguments.mkString(" ")
    val wanted = Defaults.selectedFilter(arguments.takeWhile(_ != "--"))
    evaluate(state, testNames) match {
      case None => state.fail
      case Some(names) if names.exists(name => wanted.exists(_(name))) => s"Test/testOnly $words" :: state
      case Some(_) =>
        state.log.error(s"no test matches $words: name a class with its package, or with * before it")
        state.fail
    }
  }

  /** Names of the tests of all modules. */
  val namesOfAllModules: Setting[_] = testNames := Def.task {
    definedTestNames.all(ScopeFilter(inAggregates(ThisProject, includeRoot = false), inConfigurations(Test))).value.flatten
  }.value

  /** The tally of a run, or nothing if it did not get as far as its tests. */
  def run(state: State, configuration: Configuration): Option[Tally] =
    evaluate(state, configuration / tally)

  def evaluate[T](state: State, key: TaskKey[T]): Option[T] = evaluate(state, Project.extract(state).currentRef, key)

  def evaluate[T](state: State, project: ProjectReference, key: TaskKey[T]): Option[T] = {
    Project.runTask(project / key, state) match {
      case Some((_, Value(value))) => Some(value)
      case Some((_, Inc(cause))) =>
        Incomplete.allExceptions(cause).filterNot(_.isInstanceOf[AlreadyHandledException]).foreach { problem =>
          state.log.error(Option(problem.getMessage).getOrElse(problem.toString))
        }
        None
      case None => sys.error(s"${key.key.label} is not a task of this build")
    }
  }

  /** Prints what failed and, as the last line, the tally; and fails unless everything passed. */
  def close(state: State, result: Option[Tally], otherwiseFine: Boolean = true): State = {
    result.foreach(print)
    if (otherwiseFine && result.exists(_.failed == 0)) state else state.fail
  }

  private def print(tally: Tally): Unit = {
    val failed = if (tally.failures.isEmpty) Nil else "failed tests:" +: tally.failures
    (failed :+ tally.line).foreach(line => println(line))
  }

  private def hangs(reports: File): Seq[String] =
    (reports ** "*.txt").get().sortBy(_.getName).flatMap { report =>
      val lines = IO.readLines(report)
      lines.take(1).map("* " + _) ++ lines.drop(1)
    }

  private def count(output: Tests.Output, failures: Seq[String]): Tally = {
    val suites = output.events.values
    val failed = suites.map(suite => suite.failureCount + suite.errorCount).sum
    // A fork that dies reports nothing about the test that it was running.
    val unseen = if (failed == 0 && output.overall != TestResult.Passed) 1 else 0
    val lost = if (unseen == 0) Nil else Seq("* a JVM ended before it had told how its tests went")
    Tally(
      suites.map(_.passedCount).sum,
      failed + unseen,
      suites.map(suite => suite.skippedCount + suite.ignoredCount + suite.canceledCount + suite.pendingCount).sum,
      failures ++ lost
    )
  }
}
