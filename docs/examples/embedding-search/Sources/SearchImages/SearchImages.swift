// Finds the images in a directory that are most similar to an image, and writes them to a page.
//
//   SearchImages FOLDER IMAGE PAGE.html [COUNT]
import Foundation
import SwiftletImageCodecs
import SwiftletModels
import SwiftletVision

/// An image and its embedding.
struct Entry {
  let path: String
  let embedding: Embedding
}

@main
enum SearchImages {
  static func main() throws {
    let words = CommandLine.arguments
    guard words.count >= 4, let count = words.count > 4 ? Int(words[4]) : 5, count > 0 else {
      print("usage: SearchImages FOLDER IMAGE PAGE.html [COUNT]")
      exit(2)
    }
    // For photos, use a published model: the bundled model was trained on synthetic images.
    let embedder = try ImageEmbedder(.embedded(.imageEmbedder)) { $0.normalizesEmbedding = true }
    let index = try index(of: words[1], by: embedder)
    let query = try entry(words[2], by: embedder)
    let best = try nearest(count, to: query.embedding, in: index)
    for (score, entry) in best { print(String(format: "%.4f", score), entry.path) }
    try page(query, best).write(toFile: words[3], atomically: true, encoding: .utf8)
  }

  /// Returns the embeddings of all images in a directory. If a directory is searched repeatedly, keep them in a file or
  /// a database.
  static func index(of folder: String, by embedder: ImageEmbedder) throws -> [Entry] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    return try names.filter { $0.hasSuffix(".png") || $0.hasSuffix(".jpg") }.map {
      try entry(folder + "/" + $0, by: embedder)
    }
  }

  static func entry(_ path: String, by embedder: ImageEmbedder) throws -> Entry {
    Entry(path: path, embedding: try embedder.embedding(of: InputImage(contentsOfFile: path)))
  }

  /// Returns the entries with the most similar embeddings, best first.
  static func nearest(
    _ count: Int, to embedding: Embedding, in index: [Entry]
  ) throws -> [(score: Double, entry: Entry)] {
    let scored = try index.map { (score: try $0.embedding.cosineSimilarity(to: embedding), entry: $0) }
    return Array(scored.sorted { $0.score > $1.score }.prefix(count))
  }

  static func page(_ query: Entry, _ best: [(score: Double, entry: Entry)]) -> String {
    let figures = best.map { score, entry in
      "<figure><img src=\"\(address(entry.path))\" alt=\"\"><figcaption>\(escaped(name(entry.path)))<br>\(String(format: "%.4f", score))</figcaption></figure>"
    }
    return """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>Like \(escaped(name(query.path)))</title>
      <style>
        :root { color-scheme: light dark; font-family: system-ui, sans-serif }
        body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem }
        main { display: flex; flex-wrap: wrap; gap: 1rem }
        figure { margin: 0; width: 10rem } img { width: 100%; border-radius: 8px }
        figcaption { overflow-wrap: anywhere }
      </style>
      <h1>Like \(escaped(name(query.path)))</h1>
      <figure><img src="\(address(query.path))" alt=""></figure>
      <h2>The nearest</h2>
      <main>
      \(figures.joined(separator: "\n"))
      </main>
      </html>

      """
  }

  static func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }

  static func address(_ path: String) -> String { escaped(URL(fileURLWithPath: path).absoluteString) }

  static func escaped(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: "\"", with: "&quot;")
  }
}
