import SwiftletCommandLine
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
    ] + TextRunner.declarations(),
    notes: TextRunner.operandNote + "\nWith --compare there are two texts.")

  static func run(_ arguments: Arguments) throws -> Int32 {
    let options = TextEmbedderOptions(
      baseOptions: try TextRunner.baseOptions(arguments), normalizesEmbedding: arguments.flag("l2-normalize"),
      quantizesEmbedding: arguments.flag("quantize"))
    let compares = arguments.flag("compare")
    if compares, !arguments.operands.contains("-") { try requireTwo(arguments.operands.count) }
    let runner = try TextRunner(arguments)
    let embedder = try TaskRunner.load(options.baseOptions) { try TextEmbedder(options: options) }
    if compares {
      let texts = try runner.values(atMost: 2, embedder.batchCapacity) {
        (text: $0, embedding: try embedder.embedding(of: $0))
      }
      try requireTwo(texts.count)
      let similarity = try texts[0].embedding.cosineSimilarity(to: texts[1].embedding)
      try runner.print(
        Comparison(
          key: "texts", names: texts.map(\.text), shown: texts.map { TextRunner.shown($0.text) }, similarity: similarity
        ))
      return 0
    }
    return try runner.run(embedder.batchCapacity) { text in
      let embedding = try embedder.embedding(of: text)
      return TextResult(subject: text, members: ["embeddings": embedding.json], lines: embedding.text)
    }
  }

  private static func requireTwo(_ count: Int) throws(UsageError) {
    guard count == 2 else { throw UsageError("--compare takes two texts, got \(count)") }
  }
}
