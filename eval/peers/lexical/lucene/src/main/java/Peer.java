import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.QueryBuilder;

/** Searches with Lucene for the questions of `bench`. eval/peers/README.md describes the protocol. */
public final class Peer {
  private static final int RESULTS = 10;

  public static void main(String[] args) throws Exception {
    Path data = Path.of(args[0]);
    var analyzer = new EnglishAnalyzer();
    var directory = new MMapDirectory(data.resolve("lucene"));
    var similarity = new BM25Similarity(1.2f, 0.75f);
    try (var writer = new IndexWriter(directory, new IndexWriterConfig(analyzer).setSimilarity(similarity));
        var lines = Files.lines(data.resolve("chunks.tsv"))) {
      for (String line : (Iterable<String>) lines::iterator) {
        String[] cells = line.split("\t", 3);
        var document = new Document();
        document.add(new StringField("id", cells[0], Field.Store.YES));
        document.add(new TextField("text", cells[2], Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    List<String> questions = Files.readAllLines(data.resolve("queries.tsv"));
    var searcher = new IndexSearcher(DirectoryReader.open(directory));
    searcher.setSimilarity(similarity);
    searcher.setQueryCache(null); // measure each search as if it were the first
    var queries = new QueryBuilder(analyzer);
    System.out.println("ready");
    var in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String text = questions.get(Integer.parseInt(line.strip())).split("\t", 2)[1];
      long began = System.nanoTime();
      var ids = new StringJoiner("\",\"", "[\"", "\"]").setEmptyValue("[]");
      Query query = queries.createBooleanQuery("text", text);
      if (query != null) {
        for (ScoreDoc found : searcher.search(query, RESULTS).scoreDocs) {
          ids.add(searcher.storedFields().document(found.doc).get("id"));
        }
      }
      double ms = (System.nanoTime() - began) / 1e6;
      System.out.printf(Locale.ROOT, "{\"ms\":%.4f,\"ids\":%s}%n", ms, ids);
    }
  }
}
