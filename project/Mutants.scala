import java.util.regex.Pattern

import sbt._
import sbt.Keys._

import scala.sys.process.{Process, ProcessLogger}

/** Mutation testing with PIT: the tests of a package have to notice when a line of its pure classes is changed.
  *
  * Pure are the records, policies and state machines of a package: all of its sources but those that import a
  * `Behavior` or something of Pekko's `javadsl` (contexts, timers, behaviours), which are actors or parts of one.
  * A class that only tells an `ActorRef` something is pure. The tests are those of the same package, pure ones and
  * those of its actors, except for the ones that find by chance; tests of other packages do not count.
  *
  * `mutants-accepted.txt` beside this file lists changes that no test can notice, with the reason. They count as not
  * detected, and are printed with their reasons.
  */
object Mutants {
  private val Pit = config("pitest").hide
  private val root = "dev.handoff.internal"
  private val packages = Seq("job", "dispatch", "dispatch.ready", "dispatch.pool", "dispatch.worker", "ledger", "breaker", "plan")
  private val detectedLeast = BigDecimal(95)

  /** A source that has a behaviour or works with an actor's context is seen by tests of messages, not of decisions. */
  private val actor = Pattern.compile("^import org\\.apache\\.pekko\\.actor\\.typed\\.(Behavior|javadsl\\.\\w+);", Pattern.MULTILINE)

  /** Tests that look for what nobody has thought of: slow, and whether they find something is their luck. */
  private val byChance = Pattern.compile("(Chaos|Faults|Load|Race)Test$")

  /** How long tests wait for a message: each change that loses one costs so much. */
  private val patienceSeconds = 5

  /** Longer than the patience: the assertion of a test is to notice a lost message, and not PIT's time-out. */
  private val timeOutMillis = 8000

  private val classPaths = taskKey[(Seq[File], Seq[File])]("PIT's own jars, and those of the tests")

  def settings(pitest: String, pitestJunit5: String, module: ProjectReference): Seq[Setting[_]] = Seq(
    ivyConfigurations += Pit,
    libraryDependencies ++= Seq(
      "org.pitest" % "pitest-command-line" % pitest % Pit,
      "org.pitest" % "pitest-junit5-plugin" % pitestJunit5 % Pit
    ),
    classPaths := {
      val tool = update.value.select(configurationFilter(Pit.name), moduleFilter(), artifactFilter(extension = "jar"))
      (tool, (module / Test / fullClasspath).value.files)
    }
  )

  /** `mutants`, `mutants job`, `mutants dispatch.ready.PriorityLine QueueLimits*`: packages, or globs of classes. */
  def command(module: ProjectReference): Command = Command.args("mutants", "<package or class>") { (state, words) =>
    val extracted = Project.extract(state)
    val project = extracted.currentRef
    val base = extracted.get(project / baseDirectory)
    val sources = extracted.get(module / sourceDirectory)
    val chosen = if (words.isEmpty) packages else words
    val targets = choose(sources / "main" / "java" / "dev" / "handoff" / "internal", chosen)
    if (targets.isEmpty) {
      state.log.error(s"No pure class fits ${words.mkString(" ")}; known packages: ${packages.mkString(", ")}")
      state.fail
    } else {
      TestRuns.evaluate(state, classPaths).fold(state.fail) { case (tool, tests) =>
        val folder = extracted.get(project / target) / "mutants"
        val results = targets.map { case (name, classes) =>
          name -> run(base, sources, folder / name, name, classes, tool, tests, state.log)
        }
        val accepted = Accepted.read(base / "project" / "mutants-accepted.txt")
        results.foreach { case (name, mutants) => print(name, mutants, accepted) }
        val all = results.flatMap(_._2)
        if (results.size > 1) println(summary("all", all, all.count(mutant => !mutant.detected && Accepted.has(accepted, mutant))))
        if (percent(all) >= detectedLeast) state
        else {
          println(s"below $detectedLeast % detected; reports in $folder")
          state.fail
        }
      }
    }
  }

  /** Packages with their pure classes. */
  private def choose(sources: File, words: Seq[String]): Seq[(String, Seq[String])] = {
    val pure = (sources ** "*.java").get().filterNot(_.name == "package-info.java").filterNot { file =>
      actor.matcher(IO.read(file)).find()
    }
    val named = pure.map { file =>
      val inside = IO.relativize(sources, file.getParentFile).filter(_ != ".").getOrElse("").replace('/', '.')
      (inside, file.base)
    }
    named
      .filter { case (inside, name) => words.exists(word => inside == word || fits(word, inside, name)) }
      .groupBy(_._1)
      .toSeq
      .sortBy(_._1)
      .map { case (inside, classes) => inside -> classes.map(_._2).sorted }
  }

  private def fits(word: String, inside: String, name: String): Boolean = {
    val glob = word.stripPrefix(root + ".").split("\\*", -1).map(Pattern.quote).mkString("[^.]*")
    name.matches(glob) || s"$inside.$name".matches(glob)
  }

  private def run(
      base: File,
      sources: File,
      folder: File,
      inside: String,
      classes: Seq[String],
      tool: Seq[File],
      tests: Seq[File],
      log: Logger
  ): Seq[Mutant] = {
    val prefix = if (inside.isEmpty) root else s"$root.$inside"
    val directory = sources / "test" / "java" / prefix.replace('.', '/')
    val own = (directory * "*Test.java").get().map(_.base).filterNot(byChance.matcher(_).find()).sorted
    IO.delete(folder)
    IO.createDirectory(folder)
    log.info(s"$inside: ${classes.size} classes, ${own.size} classes of tests")
    IO.write(folder / "classpath.txt", tests.map(_.getPath).mkString("\n"))
    val command = Seq(Jvm.command, "-Xmx512m") ++ Jvm.quietFlags ++
      Seq("-cp", (tool ++ tests).map(_.getPath).mkString(java.io.File.pathSeparator)) ++
      Seq("org.pitest.mutationtest.commandline.MutationCoverageReport") ++
      Seq("--targetClasses", withNested(prefix, classes), "--targetTests", withNested(prefix, own)) ++
      Seq("--classPathFile", (folder / "classpath.txt").getPath) ++
      Seq("--sourceDirs", (sources / "main" / "java").getPath, "--reportDir", folder.getPath) ++
      Seq("--outputFormats", "CSV,HTML", "--timestampedReports", "false", "--threads", "2") ++
      Seq("--timeoutConst", timeOutMillis.toString) ++
      Seq("--failWhenNoMutations", "false", "--skipFailingTests", "true", "--verbosity", "NO_SPINNER") ++
      Seq("--jvmArgs", (s"-Dhandoff.tests.patience-seconds=$patienceSeconds" +: "-Xmx1g" +: "-XX:+UseSerialGC" +: "-XX:TieredStopAtLevel=1" +: Jvm.quietFlags).mkString(","))
    val out = folder / "pit.log"
    val exit = Process(command, base) ! ProcessLogger(out)
    val csv = folder / "mutations.csv"
    if (exit != 0 || !csv.exists) {
      IO.readLines(out).takeRight(30).foreach(line => log.error(line))
      sys.error(s"PIT ended with exit code $exit; its words are in $out")
    }
    val shown = IO.relativize(base, sources / "main" / "java" / prefix.replace('.', '/')).getOrElse(prefix)
    IO.readLines(csv).map(Mutant.parse(shown, _))
  }

  private def withNested(prefix: String, names: Seq[String]): String =
    names.flatMap(name => Seq(s"$prefix.$name", s"$prefix.$name$$*")).mkString(",")

  private def print(name: String, mutants: Seq[Mutant], accepted: Seq[Accepted]): Unit = {
    val ordered = mutants.sortBy(mutant => (mutant.file, mutant.line))
    val (known, open) = ordered.filterNot(_.detected).partition(Accepted.has(accepted, _))
    ordered.filter(_.status == "TIMED_OUT").foreach(mutant => println(s"  ${mutant.shown}, seen by a time-out only"))
    known.foreach(mutant => println(s"  ${mutant.shown}, accepted: ${Accepted.reason(accepted, mutant)}"))
    open.foreach(mutant => println(s"  ${mutant.shown}, ${mutant.fate}"))
    accepted.filter(entry => mutants.exists(_.key == entry.key)).foreach { entry =>
      val left = known.count(_.key == entry.key)
      if (left != entry.count) println(s"  ${entry.key}: $left survived, and ${entry.count} are accepted: correct the list")
    }
    println(summary(name, mutants, known.size))
  }

  private def summary(name: String, mutants: Seq[Mutant], accepted: Int): String = {
    val byTime = mutants.count(_.status == "TIMED_OUT")
    f"$name%-16s ${percent(mutants)}%5s %% detected: ${mutants.count(_.detected)} of ${mutants.size}, " +
      s"$byTime of them by time-out; $accepted of the others accepted"
  }

  private def percent(mutants: Seq[Mutant]): BigDecimal =
    if (mutants.isEmpty) BigDecimal(100)
    else (BigDecimal(mutants.count(_.detected)) * 100 / mutants.size).setScale(1, BigDecimal.RoundingMode.DOWN)

  private final case class Mutant(inside: String, file: String, line: Int, method: String, change: String, status: String) {
    def detected: Boolean = status != "SURVIVED" && status != "NO_COVERAGE"
    def key: String = s"$inside:$method:$change"
    def shown: String = s"$file:$line $method: $change"
    def fate: String = if (status == "NO_COVERAGE") "no test runs it" else "survived"
  }

  private object Mutant {

    /** `PriorityLine.java,dev.handoff.internal.dispatch.ready.PriorityLine,…gregor.mutators.MathMutator,take,27,SURVIVED,none` */
    def parse(folder: String, row: String): Mutant = {
      val cells = row.split(",")
      val change = cells(2).split('.').last.stripSuffix("Mutator").replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase
      Mutant(cells(1).stripPrefix(root + "."), s"$folder/${cells(0)}", cells(4).toInt, cells(3), change, cells(5))
    }
  }

  /** So many changes of one kind in one method that no test can notice. */
  private final case class Accepted(key: String, count: Int, reason: String)

  private object Accepted {

    /** `ledger.Backlog:add:math 1 The reason.`; the kind in the words in which it is printed, with `-` for a space. */
    def read(file: File): Seq[Accepted] =
      IO.readLines(file).map(_.trim).filterNot(line => line.isEmpty || line.startsWith("#")).map { line =>
        line.split(" ", 3) match {
          case Array(key, count, reason) => Accepted(key.replaceAll("-(?=[a-z]+)", " "), count.toInt, reason)
          case _ => sys.error(s"$file: not a class, method and change, a number and a reason: $line")
        }
      }

    def has(all: Seq[Accepted], mutant: Mutant): Boolean = all.exists(_.key == mutant.key)

    def reason(all: Seq[Accepted], mutant: Mutant): String = all.find(_.key == mutant.key).fold("")(_.reason)
  }
}
