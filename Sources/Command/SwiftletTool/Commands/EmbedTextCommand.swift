import SwiftletCommandLine
import SwiftletJSON
import SwiftletText

/// `embed-text`: texts as vectors that lie close together where texts are alike.
enum EmbedTextCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "embed-text", summary: "turns texts into vectors that tell how alike they are", operands: "TEXT…",
    operandCount: TaskArguments.operandCount,
    options: [
      .flag("l2-normalize", "scale each vector to length 1"),
      .flag("quantize", "give vectors of signed bytes"),
      .flag("compare", "print how alike two texts are: the cosine of the angle between their vectors"),
    ] + TextRunner.declarations,
    notes: TextRunner.operandNote + "\nWith --compare there are two texts.")

  static func run(_ arguments: Arguments) throws -> Int32 {
    let options = TextEmbedderOptions(
      baseOptions: try TextRunner.baseOptions(arguments), l2Normalize: arguments.flag("l2-normalize"),
      quantize: arguments.flag("quantize"))
    let compares = arguments.flag("compare")
    if compares, !arguments.operands.contains("-") { try requireTwo(arguments.operands.count) }
    let runner = try TextRunner(arguments)
    let embedder = try TaskRunner.load(options.baseOptions) { try TextEmbedder(options: options) }
    func embeddings(_ text: String) throws -> [Embedding] { try embedder.embed(text).embeddingResult.embeddings }
    if compares {
      return try runner.runTogether({ (text: $0, embedding: try embedder.embed($0).embedding) }) { texts in
        try requireTwo(texts.count)
        let similarity = try TextEmbedder.cosineSimilarity(
          embedding1: texts[0].embedding, embedding2: texts[1].embedding)
        let json = JSONValue.object([
          "texts": .strings(texts.map(\.text)), "cosine_similarity": .double(similarity),
        ])
        let shown = texts.map { TextRunner.shown($0.text) }.joined(separator: ", ")
        return (json, "\(shown): cosine similarity \(similarity)\n")
      }
    }
    return try runner.run { text in
      let embeddings = try embeddings(text)
      return TextResult(members: ["embeddings": embeddings.json], lines: embeddings.text)
    }
  }

  private static func requireTwo(_ count: Int) throws(UsageError) {
    guard count == 2 else { throw UsageError("--compare takes two texts, got \(count)") }
  }
}
