import java.util.regex.Pattern

import sbt._
import sbt.Keys._

import scala.sys.process.{Process, ProcessLogger}

/** Mutation testing with PIT: the tests of a package have to notice when a line of its pure classes is changed. */
object Mutants {
  private val Pit = config("pitest").hide
  private val root = "dev.handoff"
  private val packages = Seq("job", "dispatch", "ledger", "context.breaker", "plan")
  private val shortNames = Map("breaker" -> "context.breaker")
  private val detectedLeast = BigDecimal(95)

  /** A source that has a behaviour or works with an actor's context is seen by tests of messages, not of decisions. */
  private val actor = Pattern.compile("^import org\\.apache\\.pekko\\.actor\\.typed\\.(Behavior|javadsl\\.\\w+);", Pattern.MULTILINE)

  /** Tests that look for what nobody has thought of: slow, and whether they find something is their luck. */
  private val byChance = Pattern.compile("(Chaos|Faults|Load|Race)Test$")

  private val classPaths = taskKey[(Seq[File], Seq[File])]("PIT's own jars, and those of the tests")

  def settings(pitest: String, pitestJunit5: String): Seq[Setting[_]] = Seq(
    ivyConfigurations += Pit,
    libraryDependencies ++= Seq(
      "org.pitest" % "pitest-command-line" % pitest % Pit,
      "org.pitest" % "pitest-junit5-plugin" % pitestJunit5 % Pit
    ),
    classPaths := {
      val tool = update.value.select(configurationFilter(Pit.name), moduleFilter(), artifactFilter(extension = "jar"))
      (tool, (Test / fullClasspath).value.files)
    }
  )

  /** `mutants`, `mutants job`, `mutants dispatch.Line Limits*`: packages, or globs of classes. */
  val command: Command = Command.args("mutants", "<package or class>") { (state, words) =>
    val extracted = Project.extract(state)
    val project = extracted.currentRef
    val base = extracted.get(project / baseDirectory)
    val chosen = if (words.isEmpty) packages else words.map(word => shortNames.getOrElse(word, word))
    val targets = choose(base / "src" / "main" / "java" / "dev" / "handoff", chosen)
    if (targets.isEmpty) {
      state.log.error(s"No pure class fits ${words.mkString(" ")}; known packages: ${packages.mkString(", ")}")
      state.fail
    } else {
      TestRuns.evaluate(state, classPaths).fold(state.fail) { case (tool, tests) =>
        val folder = extracted.get(project / target) / "mutants"
        val results = targets.map { case (name, classes) =>
          name -> run(base, folder / name, name, classes, tool, tests, state.log)
        }
        results.foreach { case (name, mutants) => print(name, mutants) }
        val all = results.flatMap(_._2)
        if (results.size > 1) println(summary("all", all))
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
      folder: File,
      inside: String,
      classes: Seq[String],
      tool: Seq[File],
      tests: Seq[File],
      log: Logger
  ): Seq[Mutant] = {
    val prefix = if (inside.isEmpty) root else s"$root.$inside"
    val directory = base / "src" / "test" / "java" / prefix.replace('.', '/')
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
      Seq("--sourceDirs", (base / "src" / "main" / "java").getPath, "--reportDir", folder.getPath) ++
      Seq("--outputFormats", "CSV,HTML", "--timestampedReports", "false", "--threads", "2") ++
      Seq("--failWhenNoMutations", "false", "--skipFailingTests", "true", "--verbosity", "NO_SPINNER") ++
      Seq("--jvmArgs", ("-Xmx1g" +: "-XX:+UseSerialGC" +: "-XX:TieredStopAtLevel=1" +: Jvm.quietFlags).mkString(","))
    val out = folder / "pit.log"
    val exit = Process(command, base) ! ProcessLogger(out)
    val csv = folder / "mutations.csv"
    if (exit != 0 || !csv.exists) {
      IO.readLines(out).takeRight(30).foreach(line => log.error(line))
      sys.error(s"PIT ended with exit code $exit; its words are in $out")
    }
    IO.readLines(csv).map(Mutant.parse(prefix, _))
  }

  private def withNested(prefix: String, names: Seq[String]): String =
    names.flatMap(name => Seq(s"$prefix.$name", s"$prefix.$name$$*")).mkString(",")

  private def print(name: String, mutants: Seq[Mutant]): Unit = {
    mutants.filterNot(_.detected).sortBy(mutant => (mutant.file, mutant.line)).foreach { mutant =>
      println(s"  ${mutant.place} ${mutant.method}: ${mutant.change}, ${mutant.fate}")
    }
    println(summary(name, mutants))
  }

  private def summary(name: String, mutants: Seq[Mutant]): String = {
    val byTime = mutants.count(_.status == "TIMED_OUT")
    f"$name%-16s ${percent(mutants)}%5s %% detected: ${mutants.count(_.detected)} of ${mutants.size}, $byTime of them by time-out"
  }

  private def percent(mutants: Seq[Mutant]): BigDecimal =
    if (mutants.isEmpty) BigDecimal(100)
    else (BigDecimal(mutants.count(_.detected)) * 100 / mutants.size).setScale(1, BigDecimal.RoundingMode.DOWN)

  private final case class Mutant(file: String, line: Int, method: String, change: String, status: String) {
    def detected: Boolean = status != "SURVIVED" && status != "NO_COVERAGE"
    def place: String = s"$file:$line"
    def fate: String = if (status == "NO_COVERAGE") "no test runs it" else "survived"
  }

  private object Mutant {

    /** `Line.java,dev.handoff.dispatch.Line,…gregor.mutators.MathMutator,take,27,SURVIVED,none` */
    def parse(prefix: String, row: String): Mutant = {
      val cells = row.split(",")
      val folder = s"src/main/java/${prefix.replace('.', '/')}"
      val change = cells(2).split('.').last.stripSuffix("Mutator").replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase
      Mutant(s"$folder/${cells(0)}", cells(4).toInt, cells(3), change, cells(5))
    }
  }
}
