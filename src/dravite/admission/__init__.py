"""What an API server decides with other objects in sight, and the way from documents to what planning takes."""
