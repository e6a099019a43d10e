/// Receives a picture's labels, or an error. An empty list is no error: no class was likely enough.
public typealias ImageLabelingCallback = ([ImageLabel]?, (any Error)?) -> Void

/// What a picture may show, and how sure the classifier is: `text`, `index` and `confidence`.
public final class ImageLabel: ClassLabel, @unchecked Sendable {}
