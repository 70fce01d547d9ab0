package dev.handoff.internal.context.workspace;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.util.SmallFloat;
import org.jspecify.annotations.Nullable;

/// Computes term statistics from live documents only. Lucene also counts deleted documents until a
/// segment merge; then a rebuilt index would rank equal files differently.
final class LiveSearcher extends IndexSearcher {

  private final Map<String, CollectionStatistics> fields = new HashMap<>();
  private final Map<Term, Integer> frequencies = new HashMap<>();

  LiveSearcher(IndexReader reader) {
    super(reader);
  }

  @Override
  public @Nullable CollectionStatistics collectionStatistics(String field) throws IOException {
    var known = fields.get(field);
    if (known == null) {
      known = count(field);
      fields.put(field, known);
    }
    return known;
  }

  /// Statistics from the lengths stored with the documents: rounded, but independent of the index
  /// history.
  private @Nullable CollectionStatistics count(String field) throws IOException {
    long documents = 0;
    long words = 0;
    for (var leaf : getIndexReader().leaves()) {
      var live = leaf.reader().getLiveDocs();
      var lengths = leaf.reader().getNormValues(field);
      while (lengths != null && lengths.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
        int length = SmallFloat.byte4ToInt((byte) lengths.longValue());
        if (length > 0 && (live == null || live.get(lengths.docID()))) {
          documents++;
          words += length;
        }
      }
    }
    return documents == 0
        ? null
        : new CollectionStatistics(field, getIndexReader().maxDoc(), documents, words, documents);
  }

  /// The minimum 1 is required for a term that occurs only in deleted documents; it matches none.
  @Override
  public TermStatistics termStatistics(Term term, int docFreq, long totalTermFreq)
      throws IOException {
    return new TermStatistics(term.bytes(), Math.max(1, frequency(term)), totalTermFreq);
  }

  /// Number of live documents with a term.
  int frequency(Term term) throws IOException {
    var known = frequencies.get(term);
    if (known == null) {
      known = 0;
      for (var leaf : getIndexReader().leaves()) {
        known += frequency(leaf.reader(), term);
      }
      frequencies.put(term, known);
    }
    return known;
  }

  private static int frequency(LeafReader leaf, Term term) throws IOException {
    var live = leaf.getLiveDocs();
    if (live == null) {
      return leaf.docFreq(term);
    }
    var documents = leaf.postings(term, PostingsEnum.NONE);
    int count = 0;
    while (documents != null && documents.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
      count += live.get(documents.docID()) ? 1 : 0;
    }
    return count;
  }
}
