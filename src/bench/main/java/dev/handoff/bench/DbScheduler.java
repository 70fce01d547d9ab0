package dev.handoff.bench;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// db-scheduler with its documented settings for throughput and batch submission, its fastest mode.
/// Jobs have no data, and no history is kept.
final class DbScheduler implements JobContender {

  private static final int WORKERS = 50;
  private static final int CONNECTIONS = 20;

  /// db-scheduler's PostgreSQL schema, without the index for priorities.
  private static final String TABLE =
      """
      CREATE TABLE scheduled_tasks (
        task_name text NOT NULL,
        task_instance text NOT NULL,
        task_data bytea,
        execution_time timestamp with time zone,
        picked boolean NOT NULL,
        picked_by text,
        last_success timestamp with time zone,
        last_failure timestamp with time zone,
        consecutive_failures int,
        last_heartbeat timestamp with time zone,
        version bigint NOT NULL,
        priority smallint,
        state text,
        PRIMARY KEY (task_name, task_instance)
      );
      CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time);
      CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
      """;

  private final String url;
  private final PostgresHost server;
  private final HikariDataSource connections;
  private final OneTimeTask<Void> noop;
  private final OneTimeTask<Void> start;
  private final Scheduler scheduler;
  private volatile RunCounter tally = new RunCounter();
  private volatile CompletableFuture<Long> started = new CompletableFuture<>();
  private int starts;

  private DbScheduler(PostgresHost server, String url) {
    this.server = server;
    this.url = url;
    this.connections = pool(url);
    this.noop =
        Tasks.oneTime("noop").execute((job, context) -> tally.ran(Integer.parseInt(job.getId())));
    this.start =
        Tasks.oneTime("start").execute((job, context) -> started.complete(System.nanoTime()));
    this.scheduler =
        Scheduler.create(connections, noop, start)
            .threads(WORKERS)
            .pollUsingLockAndFetch(4.0, 20.0)
            .enableImmediateExecution()
            .build();
    scheduler.start();
  }

  static DbScheduler open(PostgresHost server) {
    var url = server.freshDatabase();
    PostgresHost.execute(url, TABLE);
    return new DbScheduler(server, url);
  }

  private static HikariDataSource pool(String url) {
    var config = new HikariConfig();
    config.setJdbcUrl(url + "&reWriteBatchedInserts=true");
    config.setMaximumPoolSize(Integer.getInteger("dbs.pool", CONNECTIONS));
    return new HikariDataSource(config);
  }

  @Override
  public void load(RunCounter fresh, Duration time) throws Exception {
    tally = fresh;
    LoadThreads.run(time, this::submit);
    PollingWait.until(() -> fresh.done() >= fresh.submitted());
    PollingWait.until(() -> PostgresHost.number(url, "SELECT count(*) FROM scheduled_tasks") == 0);
  }

  private void submit() throws InterruptedException {
    int first = tally.next(LoadThreads.LOT);
    var batch = new ArrayList<TaskInstance<?>>(LoadThreads.LOT);
    for (int number = first; number < first + LoadThreads.LOT; number++) {
      batch.add(noop.instance(String.valueOf(number)));
    }
    scheduler.scheduleBatch(List.copyOf(batch), Instant.now());
  }

  @Override
  public long startOne() throws Exception {
    started = new CompletableFuture<>();
    long before = System.nanoTime();
    scheduler.schedule(start.instance("start-" + ++starts), Instant.now());
    return started.get() - before;
  }

  @Override
  public void stop() {
    scheduler.stop();
    connections.close();
  }

  @Override
  public long commits(RunCounter done) {
    return PostgresHost.commits(url);
  }

  @Override
  public void close() {
    server.drop(url);
  }
}
